import type { WebhookSender } from '../events/sender.ts'
import type { SiteBuilders } from '../providers/building/provider.ts'
import type { DomainRecords } from '../providers/dns/provider.ts'
import type { Files } from '../providers/files/provider.ts'
import type { Filings } from '../providers/filing/provider.ts'
import type { Mail } from '../providers/mail/provider.ts'
import type { ModelRegistry } from '../providers/models/provider.ts'
import type { Payments } from '../providers/payments/payments.ts'
import type { AgentTools, TaskRunners } from '../providers/runners/provider.ts'
import type { Social } from '../providers/social/provider.ts'
import type { Sources } from '../providers/sources/provider.ts'
import type { Web } from '../providers/web/client.ts'
import type { Storage } from '../quota/room.ts'
import type { Programs } from './programs.ts'

/** Derives and encrypts secrets with the service's secret key. `purpose` separates secrets of different kinds. */
export interface Vault {
  /** Returns an unguessable token of 43 URL-safe characters, which is always the same for an id. */
  derive(purpose: string, id: string): string
  /** Whether `given` equals the token of `derive`, compared in constant time. */
  matches(purpose: string, id: string, given: string): boolean
  /** Encrypts a text for storage. */
  seal(purpose: string, text: string): string
  /** Returns the value of a new API token, and the hash that is stored of it. */
  newApiToken(): { value: string; hash: string }
  /** Decrypts the result of `seal`. Throws if the key or the purpose differs, or if the text was changed. */
  open(purpose: string, sealed: string): string
}

/** The external services and the secrets, as rules and jobs use them. */
export interface Services {
  payments: Payments
  /** The account whose payments use the service's own keys; null if none is configured. */
  operatorAccount: string | null
  /** Only jobs may send. */
  mail: Mail
  /** Contents of files. Only jobs, outside operations and pages may read and write them. */
  files: Files
  /** Only jobs and outside operations may make requests. */
  web: Web
  /** Only jobs, outside operations and the page where a person grants access may call platforms. */
  social: Social
  /** Only webhook delivery and the test of an endpoint may send. */
  webhooks: WebhookSender
  /** Providers of event sources; only jobs may poll them. */
  sources: Sources
  /** Files the papers of new companies; only jobs may do so. */
  filings: Filings
  /** Rules may choose a builder; only jobs may start a build. */
  builders: SiteBuilders
  /** The domain under which sites are served; null if none are. */
  sitesDomain: string | null
  /** Only jobs may look up domains. */
  domains: DomainRecords
  /** Rules may choose a task runner; only jobs may start it. */
  tasks: TaskRunners
  /** Only outside operations of the dashboard may run programs. */
  programs: Programs
  /** The service's model and the models that accounts bring. Only jobs and outside operations may call them. */
  models: ModelRegistry
  /** The descriptions of the two MCP tools for agents. */
  agentTools: AgentTools
  vault: Vault
  /** Credits granted to each account per month; 0 for none. */
  monthlyCredits: number
  /** The maximum number of tokens of the service's model that an account may use in a day. */
  modelTokensPerDay: number
  /** Tokens of the service's model for one credit; 0 if they cost none. */
  modelTokensPerCredit: number
  storage: Storage
}
