const DAY_SECONDS = 24 * 60 * 60

/** Characters of a password. Longer ones cost time to hash and add nothing. */
export const PASSWORD_LENGTHS = { min: 10, max: 128 }

/** Characters of the name that a person gives a passkey. */
export const PASSKEY_NAME_LENGTH = 60

export const SESSION_SECONDS = 30 * DAY_SECONDS

/** How long a link can be used that an operator has made. */
export const OPERATOR_LINK_MS = 7 * DAY_SECONDS * 1000

/** How long the link of a mail can be used that proves an address. */
export const ADDRESS_LINK_MS = DAY_SECONDS * 1000

/** How long a browser counts as one in which somebody has signed in. */
export const DEVICE_SECONDS = 365 * DAY_SECONDS
