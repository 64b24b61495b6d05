import { vaultOf } from './access/vault.ts'
import { signedSender } from './events/signed-sender.ts'
import type { DomainRecords } from './providers/dns/provider.ts'
import { createDomains } from './providers/dns/registry.ts'
import { createFiles } from './providers/files/registry.ts'
import { createMail } from './providers/mail/registry.ts'
import { createModels } from './providers/models/registry.ts'
import type { Payments } from './providers/payments/payments.ts'
import { createPayments } from './providers/payments/registry.ts'
import type { AgentTools, RunProgram, SearchCatalogue } from './providers/runners/provider.ts'
import { createRunners } from './providers/runners/registry.ts'
import { createSources } from './providers/sources/registry.ts'
import type { Web } from './providers/web/client.ts'
import { createWeb } from './providers/web/registry.ts'
import { type Storage, UNCOUNTED } from './quota/room.ts'
import type { Extensions } from './records/extensions.ts'
import type { Programs } from './records/programs.ts'
import type { CoreServices, Services, Vault } from './records/services.ts'
import type { Settings } from './settings/config.ts'

/** The functions with which a server runs Ruby programs. */
export interface ProgramRunners {
  /** Runs a task's program. */
  runProgram: RunProgram
  searchCatalogue: SearchCatalogue
  agentTools: AgentTools
  /** Runs the programs that the dashboard and jobs start. */
  programs: Programs
}

/** The parts from which features create their services. */
export interface ServiceParts {
  settings: Settings
  vault: Vault
  web: Web
  domains: DomainRecords
  /** Whether simulated providers serve live accounts too. */
  pretending: boolean
}

/** The parts of a feature that rules and jobs use. */
export interface ServiceFeature<Own extends object = object> extends Partial<Omit<Extensions, 'reservedDomains'>> {
  services?(parts: ServiceParts): Own
  /** Returns the domain below which the feature serves pages, or null. */
  reservedDomain?(settings: Settings): string | null
}

interface ServiceOptions {
  features: readonly ServiceFeature[]
  runners?: ProgramRunners
  storage?: Storage
}

/** Creates the adapters that the settings select. Only a server passes runners and storage; commands use the defaults of both. */
export function createServices(
  settings: Settings,
  secret: string,
  { features, runners: { programs, ...runners } = NOT_HERE, storage = UNCOUNTED }: ServiceOptions,
): Services {
  const web = createWeb(settings)
  const vault = vaultOf(secret)
  const domains = createDomains(settings)
  const pretending = mayPretend(settings)
  const core: CoreServices = {
    payments: paymentsOf(settings, pretending),
    mail: createMail(settings),
    files: createFiles(settings),
    web,
    webhooks: signedSender(web.webhooks, {
      timeoutMs: settings.WEBHOOK_TIMEOUT_SECONDS * 1000,
      signatureHeader: settings.WEBHOOK_SIGNATURE_HEADER,
    }),
    sources: createSources(),
    operatorAccount: settings.OPERATOR_ACCOUNT ?? null,
    domains,
    tasks: createRunners(runners),
    models: createModels(settings, web.models),
    agentTools: runners.agentTools,
    programs,
    vault,
    monthlyCredits: settings.MONTHLY_CREDITS,
    modelTokensPerDay: settings.MODEL_TOKENS_PER_DAY,
    modelTokensPerCredit: settings.MODEL_TOKENS_PER_CREDIT,
    storage,
    fileColumns: features.flatMap(({ fileColumns = [] }) => fileColumns),
    storedFiles: features.flatMap(({ storedFiles = [] }) => storedFiles),
    domainKinds: features.flatMap(({ domainKinds = [] }) => domainKinds),
    reservedDomains: features.flatMap(({ reservedDomain }) => reservedDomain?.(settings) ?? []),
    taskUses: features.flatMap(({ taskUses = [] }) => taskUses),
  }
  const parts = { settings, vault, web, domains, pretending }
  return Object.assign(core, ...features.map(({ services }) => services?.(parts)))
}

/** Returns the payment providers. With OUTBOUND_DISABLED, accounts take test cards and do not use their connections. */
function paymentsOf(settings: Settings, pretending: boolean): Payments {
  const payments = createPayments(settings, pretending || settings.OUTBOUND_DISABLED)
  return settings.OUTBOUND_DISABLED ? { ...payments, connectors: [] } : payments
}

/** Returns whether simulated providers may serve live accounts. */
export function mayPretend({
  SIMULATED_PROVIDERS,
  NODE_ENV,
}: Pick<Settings, 'SIMULATED_PROVIDERS' | 'NODE_ENV'>): boolean {
  return SIMULATED_PROVIDERS ?? NODE_ENV !== 'production'
}

const notHere = () => Promise.reject(new Error('Programs are run by the server.'))

const NO_TOOL = { name: '', description: '' }
const NO_TOOLS: AgentTools = { instructions: '', search: NO_TOOL, execute: NO_TOOL }

const NOT_HERE: ProgramRunners = {
  runProgram: notHere,
  searchCatalogue: notHere,
  agentTools: NO_TOOLS,
  programs: { search: notHere, execute: notHere, continueBackground: notHere, planAgain: notHere },
}
