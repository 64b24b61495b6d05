import type { WebhookSender } from '../events/sender.ts'
import type { Mail } from '../mail/provider.ts'
import type { Payments } from '../payments/provider.ts'
import type { Web } from '../web/client.ts'

/** Keeps secrets under the service's secret key. `purpose` keeps those of different kinds apart. */
export interface Vault {
  /** A capability that is always the same for the same id, and that nobody can guess: 43 URL-safe characters. */
  derive(purpose: string, id: string): string
  /** Whether `given` is what `derive` gives, compared in constant time. */
  matches(purpose: string, id: string, given: string): boolean
  /** Encrypts a text for storage. */
  seal(purpose: string, text: string): string
  /** Decrypts what `seal` made. Throws when it was made under another key or purpose, or was changed. */
  open(purpose: string, sealed: string): string
}

/** The outside world, and the service's secrets, as rules and jobs reach them. */
export interface Services {
  payments: Payments
  /** Only jobs send. */
  mail: Mail
  /** Only jobs and outside operations go out. */
  web: Web
  /** Only the deliverer and the test of an endpoint send. */
  webhooks: WebhookSender
  vault: Vault
}
