import type { MailProvider } from './provider.ts'

/** The way that messages leave this service. */
export function createMail(_settings: object): MailProvider {
  return { from: 'shop@localhost', send: () => Promise.reject(new Error('No mail server is configured.')) }
}
