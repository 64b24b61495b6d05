import type { WebhookSender } from '../events/sender.ts'
import type { FormationServices } from '../features/formations/providers/provider.ts'
import type { SiteServices } from '../features/sites/providers/provider.ts'
import type { SocialServices } from '../features/social/providers/provider.ts'
import type { DomainRecords } from '../providers/dns/provider.ts'
import type { Files } from '../providers/files/provider.ts'
import type { Mail } from '../providers/mail/provider.ts'
import type { ModelRegistry } from '../providers/models/provider.ts'
import type { Payments } from '../providers/payments/payments.ts'
import type { AgentTools, TaskRunners } from '../providers/runners/provider.ts'
import type { Sources } from '../providers/sources/provider.ts'
import type { Web } from '../providers/web/client.ts'
import type { Storage } from '../quota/room.ts'
import type { Extensions } from './extensions.ts'
import type { Programs } from './programs.ts'

/** Derives and encrypts secrets with the service's secret key. `purpose` separates secrets of different kinds. */
export interface Vault {
  /** Returns an unguessable token of 43 URL-safe characters, which is always the same for the same purpose and id. */
  derive(purpose: string, id: string): string
  /** Returns whether `given` equals the token of `derive`. Compares in constant time. */
  matches(purpose: string, id: string, given: string): boolean
  /** Encrypts a text for storage. */
  seal(purpose: string, text: string): string
  /** Returns the value of a new API token and its hash; only the hash is stored. */
  newApiToken(): { value: string; hash: string }
  /** Decrypts the result of `seal`. Throws if the key or the purpose differs, or if the text was changed. */
  open(purpose: string, sealed: string): string
}

/** The external services, the secrets and the settings that operations and jobs use. */
export interface Services extends CoreServices, FormationServices, SiteServices, SocialServices {}

export interface CoreServices extends Extensions {
  payments: Payments
  /** The account whose payments use the service's own keys; null if the settings name none. */
  operatorAccount: string | null
  /** Sends e-mails; only jobs may do so. */
  mail: Mail
  /** Stores the contents of files; only jobs, pages and operations without a transaction may read and write them. */
  files: Files
  /** Makes requests to other sites; only jobs and operations without a transaction may do so. */
  web: Web
  /** Sends webhooks; only the delivery job and the test of an endpoint may do so. */
  webhooks: WebhookSender
  /** Polls the providers of event sources; only jobs may do so. */
  sources: Sources
  /** Looks up domains; only jobs may do so. */
  domains: DomainRecords
  /** Runs tasks; an operation may choose a task runner, but only jobs may start it. */
  tasks: TaskRunners
  /** Runs the Ruby programs of agents; only the dashboard's operations without a transaction may do so. */
  programs: Programs
  /** The service's model and the accounts' own models; only jobs and operations without a transaction may call them. */
  models: ModelRegistry
  /** The descriptions of the two MCP tools for agents, which run Ruby programs. */
  agentTools: AgentTools
  vault: Vault
  /** The credits that each account receives per month; 0 for none. */
  monthlyCredits: number
  /** The maximum number of tokens of the service's model that an account may use in a day. */
  modelTokensPerDay: number
  /** The number of tokens of the service's model that cost one credit; 0 if they cost none. */
  modelTokensPerCredit: number
  storage: Storage
}
