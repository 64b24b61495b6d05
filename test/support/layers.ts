/** The types of all tables, made from the nouns: types alone, so that those below the resources may use them. */
export const TABLES = 'resources/tables.ts'
/** What answers show and operations take, made from all resources: types alone, so that pages follow from the declarations. */
export const SHOWN = ['resources/nouns.ts', 'resources/operation-types.ts']

/** The kinds of providers: folders of `outside`, each with an interface, a registry and a folder for each provider. */
export const KINDS = [
  'building',
  'dns',
  'files',
  'filing',
  'mail',
  'models',
  'payments',
  'runners',
  'social',
  'sources',
]

/** What an adapter may import, besides what is in its own folder. */
const FOR_ADAPTERS = [
  ...['contract', 'format', 'concurrency', 'make-directory.ts'],
  ...['providers/web/client.ts', 'providers/api-versions.ts'],
]
const ADAPTERS = Object.fromEntries(KINDS.map((kind) => [`providers/${kind}`, FOR_ADAPTERS]))

/** The outside world as rules and jobs see it. */
const INTERFACES = [
  ...KINDS.map((kind) => `providers/${kind}/provider.ts`),
  'providers/payments/connector.ts',
  'providers/payments/payments.ts',
  'providers/payments/disputes.ts',
  'providers/social/limits.ts',
  'providers/web/client.ts',
  'events/sender.ts',
  'quota/room.ts',
]
const REGISTRIES = [...KINDS, 'web'].map((kind) => `providers/${kind}/registry.ts`)
/** What the rules of webhooks share with the deliveries. */
const DELIVERIES = ['message.ts', 'headers.ts', 'signing.ts', 'cancel.ts', 'task-triggers.ts'].map(
  (file) => `events/${file}`,
)

/** What every part may import: helpers that know nothing of the shop, and the version. */
export const EVERYWHERE = ['lazy.ts', 'lru-map.ts', 'package-file.ts', 'concurrency/race-abort.ts', 'version.ts']

/** What each part of `src` may import of the others. Nothing may be imported that is not named here. */
export const ALLOWED: Record<string, string[]> = {
  // The words that people read and type.
  format: [],
  'contract/values': ['format'],
  'contract/declarations': ['format', 'contract/values'],
  'contract/documents': ['format', 'contract/values', 'contract/declarations'],
  'contract/requests': ['format', 'contract/values', 'contract/declarations', 'contract/documents'],
  // The host and the guest bound JSON in the same way.
  sandbox: ['format', 'memory-limits.ts', 'contract/values'],
  // Who waits, and in which order.
  concurrency: [],
  database: ['concurrency'],
  'providers/api-versions.ts': [],
  ...ADAPTERS,
  // Prompts in plain words are for a model.
  'providers/runners': [...FOR_ADAPTERS, 'providers/models/provider.ts'],
  // Handles of people are in the records of domains.
  'providers/social': [...FOR_ADAPTERS, 'providers/dns/provider.ts'],
  // So are briefs of sites.
  'providers/building': [...FOR_ADAPTERS, 'providers/models/provider.ts'],
  'providers/web': ['format'],
  // What accounts store, and how much they may.
  quota: ['contract', 'format', 'database', TABLES],
  // How the service is watched: the log's records, metrics, and what waits.
  monitoring: [
    'database',
    'pipeline',
    'records',
    'sandbox',
    'providers/mail/provider.ts',
    'providers/social/provider.ts',
    TABLES,
  ],
  // The clocks of test accounts.
  clock: ['contract', 'format', 'database', TABLES],
  records: ['clock', 'contract', 'format', 'database', TABLES, ...INTERFACES],
  resources: ['contract', 'format', 'database', 'records', 'clock', ...INTERFACES, ...DELIVERIES],
  // Shops that come from elsewhere, and what they take along.
  moving: ['contract', 'format', 'database', 'records', 'resources'],
  events: ['contract', 'format', 'database', 'monitoring/records.ts', 'records', TABLES, ...INTERFACES],
  // Who is calling, and what they may: people sign in by the rules of users and invitations. Resources know nothing of it.
  access: [
    'make-directory.ts',
    'contract',
    'format',
    'database',
    'records',
    'resources/company/account',
    'resources/company/user',
    'resources/dashboard/api-token',
    'resources/dashboard/invitation',
    'providers/web/client.ts',
    TABLES,
  ],
  pipeline: ['clock', 'contract', 'format', 'concurrency', 'database', 'records', 'events', TABLES],
  jobs: ['clock', 'contract', 'format', 'database', 'monitoring/records.ts', 'records', 'pipeline', TABLES],
  demo: [
    'contract',
    'format',
    'database',
    'records',
    'pipeline',
    // The demo stores its buyers in bulk, as an import does.
    'moving/memory.ts',
    'moving/importers',
    'resources/sales',
    'resources/audience',
    'resources/automation',
    'resources/content',
    TABLES,
  ],
  // The pages of checkouts and forms call the rules of selling and of submitting; those of the sandbox know what it can do.
  pages: [
    'contract',
    'format',
    'database',
    'records',
    'pipeline',
    'access',
    'resources/sales',
    'resources/catalog',
    'resources/content',
    'resources/company',
    'resources/audience',
    'resources/automation',
    'resources/social',
    'resources/dashboard',
    'resources/messages/email/team',
    ...INTERFACES,
    TABLES,
    ...SHOWN,
  ],
  mcp: [
    'contract',
    'format',
    'concurrency',
    'database',
    'monitoring/records.ts',
    'records',
    'events',
    'pipeline',
    'sandbox',
    'quota/room.ts',
    TABLES,
  ],
  http: [
    ...INTERFACES,
    'contract',
    'format',
    'database',
    'monitoring/records.ts',
    'records',
    'pipeline',
    'access',
    'mcp',
    'pages',
    TABLES,
  ],
  'make-directory.ts': [],
  'lazy.ts': [],
  'lru-map.ts': [],
  'package-file.ts': [],
  'version.ts': [],
  settings: ['contract/values'],
  'cache-directory.ts': ['settings/config.ts', 'make-directory.ts'],
  'services.ts': [
    'settings/config.ts',
    'settings/sites-domain.ts',
    'access',
    'records',
    'events',
    ...REGISTRIES,
    ...INTERFACES,
  ],
  // The wiring: what is opened, and in which order.
  app: [
    'cache-directory.ts',
    'clock',
    'settings/config.ts',
    'monitoring',
    'contract',
    'format',
    'database',
    'records',
    'resources',
    'events',
    'pipeline',
    'access',
    'jobs',
    'demo',
    'mcp',
    'pages/plan-frame/plan-frame.ts',
    'http',
    'services.ts',
    'settings/documented.ts',
    'quota',
  ],
  'app.ts': ['app', 'settings/config.ts', 'http', 'jobs'],
  'memory-limits.ts': [],
  backup: ['database', 'format/sizes.ts'],
  integrity: ['format', 'database', TABLES],
  cli: [
    'backup',
    'moving',
    'integrity',
    'settings/warnings.ts',
    'make-directory.ts',
    'memory-limits.ts',
    'services.ts',
    'clock',
    'contract',
    'format',
    'database',
    'records',
    'resources',
    'pipeline',
    'access',
    'http',
    'mcp',
    'settings/config.ts',
    'app.ts',
  ],
  'main.ts': ['cli'],
}
/** The parts that open the sandbox themselves; the others use its `api.ts`. */
export const OPENS_SANDBOX = ['app/mcp.ts']

/** What every part may use of `database`: the interface, and what rules and queries need on either engine. */
export const OPEN_DATABASE = [
  'database.ts',
  'quiet.ts',
  'moment.ts',
  'account-tables.ts',
  'unique.ts',
  'compile-once.ts',
  'row-cache.ts',
  'json-entries.ts',
  'system-tables.ts',
  'social-tables.ts',
  'log-tables.ts',
  'written.ts',
  'within.ts',
].map((file) => `database/${file}`)
export const OPENS_DATABASE = [
  'app/foundation.ts',
  'cli/with-database.ts',
  'cli/moment.ts',
  'cli/verify.ts',
  'cli/restore.ts',
  'backup/make.ts',
  'backup/restore.ts',
]

/** A program's scope is a database as operations see it, so it names the query builder's type. */
export const ENGINE_TYPES = ['mcp/program/scope.ts']

/** Who may touch `process`, and what of it. */
export const TOUCHES_PROCESS: Record<string, RegExp> = {
  'main.ts': /.*/,
  // The number that a second process on the same directory is told.
  'database/sqlite/lock.ts': /^process\.pid$/,
  // A start that may not write says as which user it runs.
  'database/sqlite/start.ts': /^process\.geteuid$/,
  // What is asked for in one go is sent once nobody asks any more.
  'database/postgres/handle.ts': /^process\.nextTick$/,
  'database/postgres/transaction.ts': /^process\.nextTick$/,
  // Garbage of an import is collected where there is much.
  'cli/import.ts': /^process\.memoryUsage$/,
  'sandbox/worker.ts': /^process\.platform$/,
  // Metrics count processes by it.
  'monitoring/observe.ts': /^process\.versions$/,
  // A build of the interpreter is of use to the same Node.js only.
  'sandbox/artefact.ts': /^process\.version$/,
  // It is the entry of a process of its own, which talks to the one that began it.
  'providers/files/film-process.ts': /^process\.(on|send|argv|disconnect)$/,
}
