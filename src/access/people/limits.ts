const DAY_SECONDS = 24 * 60 * 60

/** Lengths of a password in characters. Longer ones take time to hash and add no security. */
export const PASSWORD_LENGTHS = { min: 10, max: 128 }

/** The maximum length of a passkey's name in characters. */
export const PASSKEY_NAME_LENGTH = 60

export const SESSION_SECONDS = 30 * DAY_SECONDS

/** How long a link from an operator is valid. */
export const OPERATOR_LINK_MS = 7 * DAY_SECONDS * 1000

/** How long an emailed link that confirms an address is valid. */
export const ADDRESS_LINK_MS = DAY_SECONDS * 1000

/** How long a browser is recognized as one in which someone has signed in. */
export const DEVICE_SECONDS = 365 * DAY_SECONDS
