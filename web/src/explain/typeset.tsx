/** A closed form as people write it: names in italics, powers raised, digits in groups, a dot for products. */

const TOKEN = /([A-Za-z_]\w*)|\^(\d+)|(\d+(?:\.\d+)?)|(\s*\*\s*)|([^A-Za-z_\d^*]+)/g;

const grouped = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, "\u202f");

/** Names that are called are no sizes. */
const FUNCTIONS = new Set(["ceil", "floor", "max", "min"]);

/** `L*L` as `L^2`. */
const withPowers = (text: string): string =>
  text.replaceAll(
    /\b([A-Za-z_]\w*)((?:\*\1\b)+)/g,
    (_, name: string, more: string) => `${name}^${1 + more.split("*").length - 1}`,
  );

export function Typeset({ text }: { readonly text: string }) {
  return (
    <span class="typeset">
      {[...withPowers(text).matchAll(TOKEN)].map(([whole, name, power, number, product], index) => {
        if (name !== undefined) return FUNCTIONS.has(name) ? name : <var key={index}>{name}</var>;
        if (power !== undefined) return <sup key={index}>{power}</sup>;
        if (number !== undefined) return grouped(number);
        return product === undefined ? whole : "\u00b7";
      })}
    </span>
  );
}
