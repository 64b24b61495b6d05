const DAY_SECONDS = 24 * 60 * 60

/** Lengths in characters. A longer password takes time to hash and adds no security. */
export const PASSWORD_LENGTHS = { min: 10, max: 128 }

export const PASSKEY_NAME_LENGTH = 60

export const SESSION_SECONDS = 30 * DAY_SECONDS

export const OPERATOR_LINK_MS = 7 * DAY_SECONDS * 1000

export const ADDRESS_LINK_MS = DAY_SECONDS * 1000

/** How long a browser is recognized after someone has signed in with it. */
export const DEVICE_SECONDS = 365 * DAY_SECONDS
