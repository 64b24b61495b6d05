const DOMAIN = '@address.invalid'

/**
 * Encodes an email address for the library, which rejects non-ASCII letters and some symbols before its look-up. The adapter decodes it.
 */
export function asLibraryAddress(email: string): string {
  return `${Buffer.from(email).toString('hex')}${DOMAIN}`
}

/** Decodes an email address that was encoded by `asLibraryAddress`. */
export function fromLibraryAddress(given: string): string {
  return given.endsWith(DOMAIN) ? Buffer.from(given.slice(0, -DOMAIN.length), 'hex').toString() : given
}
