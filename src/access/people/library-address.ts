const DOMAIN = '@address.invalid'

/**
 * Encodes an address for the library, which refuses non-ASCII letters and some symbols before it looks up the user. The adapter decodes it.
 */
export function asLibraryAddress(email: string): string {
  return `${Buffer.from(email).toString('hex')}${DOMAIN}`
}

/** Decodes an address of `asLibraryAddress`. */
export function fromLibraryAddress(given: string): string {
  return given.endsWith(DOMAIN) ? Buffer.from(given.slice(0, -DOMAIN.length), 'hex').toString() : given
}
