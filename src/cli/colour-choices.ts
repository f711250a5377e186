/** What `--color` may be; apart from the painter, because option tables are read where there is no Node. */

export const COLOUR_CHOICES = ["auto", "always", "never"] as const;
export type ColourChoice = (typeof COLOUR_CHOICES)[number];
