const DOMAIN = '@address.invalid'

/**
 * An address as the library is asked for it. It refuses letters outside ASCII and some signs before it looks anybody up, so
 * the adapter is given what it may pass on, and reads the address from that.
 */
export function asLibraryAddress(email: string): string {
  return `${Buffer.from(email).toString('hex')}${DOMAIN}`
}

/** The address that the library was asked for. */
export function fromLibraryAddress(given: string): string {
  return given.endsWith(DOMAIN) ? Buffer.from(given.slice(0, -DOMAIN.length), 'hex').toString() : given
}
