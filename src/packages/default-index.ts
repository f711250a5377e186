/** The index that packages come from where nobody names another: apart from its client, which little needs. */

export const DEFAULT_INDEX = "https://pypi.org/simple";
