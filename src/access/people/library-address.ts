const DOMAIN = '@address.invalid'

/** Encodes an email address for the sign-in library, which rejects non-ASCII letters and some symbols. The adapter decodes it. */
export function asLibraryAddress(email: string): string {
  return `${Buffer.from(email).toString('hex')}${DOMAIN}`
}

export function fromLibraryAddress(given: string): string {
  return given.endsWith(DOMAIN) ? Buffer.from(given.slice(0, -DOMAIN.length), 'hex').toString() : given
}
