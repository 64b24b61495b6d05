const DAY_SECONDS = 24 * 60 * 60

/** The minimum and maximum length of a password in characters. A longer one takes time to hash and adds no security. */
export const PASSWORD_LENGTHS = { min: 10, max: 128 }

/** The maximum length of the name of a passkey, in characters. */
export const PASSKEY_NAME_LENGTH = 60

export const SESSION_SECONDS = 30 * DAY_SECONDS

/** How long a password link that an operator creates is valid. */
export const OPERATOR_LINK_MS = 7 * DAY_SECONDS * 1000

/** How long an emailed link to confirm an address is valid. */
export const ADDRESS_LINK_MS = DAY_SECONDS * 1000

/** How long a browser is recognized after someone has signed in there. */
export const DEVICE_SECONDS = 365 * DAY_SECONDS
