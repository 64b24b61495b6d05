import type { WebhookSender } from '../events/sender.ts'
import type { SiteBuilders } from '../outside/building/provider.ts'
import type { DomainRecords } from '../outside/dns/provider.ts'
import type { Files } from '../outside/files/provider.ts'
import type { Filings } from '../outside/filing/provider.ts'
import type { Mail } from '../outside/mail/provider.ts'
import type { ModelRegistry } from '../outside/models/provider.ts'
import type { Payments } from '../outside/payments/payments.ts'
import type { AgentTools, TaskRunners } from '../outside/runners/provider.ts'
import type { Social } from '../outside/social/provider.ts'
import type { Sources } from '../outside/sources/provider.ts'
import type { Web } from '../outside/web/client.ts'
import type { Storage } from '../storage/room.ts'
import type { Programs } from './programs.ts'

/** Keeps secrets under the service's secret key. `purpose` keeps those of different kinds apart. */
export interface Vault {
  /** A capability that is always the same for the same id, and that nobody can guess: 43 URL-safe characters. */
  derive(purpose: string, id: string): string
  /** Whether `given` is what `derive` gives, compared in constant time. */
  matches(purpose: string, id: string, given: string): boolean
  /** Encrypts a text for storage. */
  seal(purpose: string, text: string): string
  /** The value of a new API token, and what is kept of it. */
  newApiToken(): { value: string; hash: string }
  /** Decrypts what `seal` made. Throws when it was made under another key or purpose, or was changed. */
  open(purpose: string, sealed: string): string
}

/** The outside world, and the service's secrets, as rules and jobs reach them. */
export interface Services {
  payments: Payments
  /** The account whose payments go by the service's own keys; null where none is named. */
  operatorAccount: string | null
  /** Only jobs send. */
  mail: Mail
  /** Bytes of files. Only jobs, outside operations and pages read and write them. */
  files: Files
  /** Only jobs and outside operations go out. */
  web: Web
  /** Only jobs and outside operations ask platforms, and the page where a person allows access. */
  social: Social
  /** Only the deliverer and the test of an endpoint send. */
  webhooks: WebhookSender
  /** Providers of event sources; only jobs poll. */
  sources: Sources
  /** Who files the papers of new companies. Only jobs file. */
  filings: Filings
  /** Rules ask who builds a site; only jobs let it be built. */
  builders: SiteBuilders
  /** The domain below which sites are served; null where none are. */
  sitesDomain: string | null
  /** Only jobs look up domains. */
  domains: DomainRecords
  /** Rules ask who takes a task; only jobs let it be done. */
  tasks: TaskRunners
  /** Only outside operations of the dashboard run programs. */
  programs: Programs
  /** The model of the service, and those that accounts bring. Only jobs and outside operations ask them. */
  models: ModelRegistry
  /** What agents are told of the two tools. */
  agentTools: AgentTools
  vault: Vault
  /** Credits that each account is granted a month; 0 for none. */
  monthlyCredits: number
  /** Tokens of the service's model that an account may use in a day. */
  modelTokensPerDay: number
  /** Tokens of the service's model that a credit pays for; 0 where they cost none. */
  modelTokensPerCredit: number
  /** How much the account may store. */
  storage: Storage
}
