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
  ...['contract', 'words', 'queues', 'make-directory.ts'],
  ...['outside/web/client.ts', 'outside/api-versions.ts'],
]
const ADAPTERS = Object.fromEntries(KINDS.map((kind) => [`outside/${kind}`, FOR_ADAPTERS]))

/** The outside world as rules and jobs see it. */
const INTERFACES = [
  ...KINDS.map((kind) => `outside/${kind}/provider.ts`),
  'outside/payments/connector.ts',
  'outside/payments/payments.ts',
  'outside/payments/disputes.ts',
  'outside/social/limits.ts',
  'outside/web/client.ts',
  'events/sender.ts',
  'storage/room.ts',
]
const REGISTRIES = [...KINDS, 'web'].map((kind) => `outside/${kind}/registry.ts`)
/** What the rules of webhooks share with the deliveries. */
const DELIVERIES = ['message.ts', 'headers.ts', 'signing.ts', 'cancel.ts', 'task-triggers.ts'].map(
  (file) => `events/${file}`,
)

/** What every part may import: helpers that know nothing of the shop, and the version. */
export const EVERYWHERE = ['lazily.ts', 'newest.ts', 'package-file.ts', 'unless-aborted.ts', 'version.ts']

/** What each part of `src` may import of the others. Nothing may be imported that is not named here. */
export const ALLOWED: Record<string, string[]> = {
  // The words that people read and type.
  words: [],
  'contract/values': ['words'],
  'contract/declarations': ['words', 'contract/values'],
  'contract/documents': ['words', 'contract/values', 'contract/declarations'],
  'contract/requests': ['words', 'contract/values', 'contract/declarations', 'contract/documents'],
  // Both sides of the sandbox's door bound JSON in the same way.
  sandbox: ['words', 'garbage.ts', 'contract/values'],
  // Who waits, and in which order.
  queues: [],
  database: ['queues'],
  'outside/api-versions.ts': [],
  ...ADAPTERS,
  // Prompts in plain words are for a model.
  'outside/runners': [...FOR_ADAPTERS, 'outside/models/provider.ts'],
  // Handles of people are in the records of domains.
  'outside/social': [...FOR_ADAPTERS, 'outside/dns/provider.ts'],
  // So are briefs of sites.
  'outside/building': [...FOR_ADAPTERS, 'outside/models/provider.ts'],
  'outside/web': ['words'],
  // What accounts store, and how much they may.
  storage: ['contract', 'words', 'database', TABLES],
  // How the service is watched: the log's records, metrics, and what waits.
  monitoring: [
    'database',
    'pipeline',
    'records',
    'sandbox',
    'outside/mail/provider.ts',
    'outside/social/provider.ts',
    TABLES,
  ],
  // The clocks of test accounts.
  clock: ['contract', 'words', 'database', TABLES],
  records: ['clock', 'contract', 'words', 'database', TABLES, ...INTERFACES],
  resources: ['contract', 'words', 'database', 'records', 'clock', ...INTERFACES, ...DELIVERIES],
  // Shops that come from elsewhere, and what they take along.
  moving: ['contract', 'words', 'database', 'records', 'resources'],
  events: ['contract', 'words', 'database', 'monitoring/records.ts', 'records', TABLES, ...INTERFACES],
  // Who is calling, and what they may: people sign in by the rules of users and invitations. Resources know nothing of it.
  access: [
    'make-directory.ts',
    'contract',
    'words',
    'database',
    'records',
    'resources/company/account',
    'resources/company/user',
    'resources/dashboard/api_token',
    'resources/dashboard/invitation',
    'outside/web/client.ts',
    TABLES,
  ],
  pipeline: ['clock', 'contract', 'words', 'queues', 'database', 'records', 'events', TABLES],
  jobs: ['clock', 'contract', 'words', 'database', 'monitoring/records.ts', 'records', 'pipeline', TABLES],
  demo: [
    'contract',
    'words',
    'database',
    'records',
    'pipeline',
    // The demo stores its buyers in bulk, as an import does.
    'moving/memory.ts',
    'moving/taking',
    'resources/sales',
    'resources/audience',
    'resources/automation',
    'resources/content',
    TABLES,
  ],
  // The pages of checkouts and forms call the rules of selling and of submitting; those of the sandbox know what it can do.
  pages: [
    'contract',
    'words',
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
    'words',
    'queues',
    'database',
    'monitoring/records.ts',
    'records',
    'events',
    'pipeline',
    'sandbox',
    'storage/room.ts',
    TABLES,
  ],
  http: [
    ...INTERFACES,
    'contract',
    'words',
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
  'lazily.ts': [],
  'newest.ts': [],
  'package-file.ts': [],
  'unless-aborted.ts': [],
  'version.ts': [],
  'setting-forms.ts': ['contract/values'],
  'network-settings.ts': ['setting-forms.ts'],
  'payment-settings.ts': ['setting-forms.ts'],
  'sites-domain.ts': [],
  'site-settings.ts': ['setting-forms.ts', 'sites-domain.ts'],
  'setting-values.ts': ['setting-forms.ts'],
  'setting-warnings.ts': ['config.ts', 'setting-values.ts', 'contract/values'],
  'cache-directory.ts': ['config.ts', 'make-directory.ts'],
  'config.ts': [
    'contract/values',
    'setting-forms.ts',
    'setting-values.ts',
    'network-settings.ts',
    'payment-settings.ts',
    'site-settings.ts',
  ],
  'documented-settings.ts': ['config.ts'],
  'services.ts': ['config.ts', 'sites-domain.ts', 'access', 'records', 'events', ...REGISTRIES, ...INTERFACES],
  // The wiring: what is opened, and in which order.
  app: [
    'cache-directory.ts',
    'clock',
    'config.ts',
    'monitoring',
    'contract',
    'words',
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
    'documented-settings.ts',
    'storage',
  ],
  'app.ts': ['app', 'config.ts', 'http', 'jobs'],
  'garbage.ts': [],
  backup: ['database', 'words/sizes.ts'],
  verify: ['words', 'database', TABLES],
  cli: [
    'backup',
    'moving',
    'verify',
    'setting-warnings.ts',
    'make-directory.ts',
    'garbage.ts',
    'services.ts',
    'clock',
    'contract',
    'words',
    'database',
    'records',
    'resources',
    'pipeline',
    'access',
    'http',
    'mcp',
    'config.ts',
    'app.ts',
  ],
  'main.ts': ['cli'],
}
/** The door of the sandbox stands open to `mcp`; only the wiring opens the room. */
export const OPENS_SANDBOX = ['app/mcp.ts']

/** What every part may use of `database`: the interface, and what rules and queries need on either engine. */
export const OPEN_DATABASE = [
  'database.ts',
  'quiet.ts',
  'moment.ts',
  'account-tables.ts',
  'unique.ts',
  'compile-once.ts',
  'remembered.ts',
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
  'database/postgres/session.ts': /^process\.nextTick$/,
  // Garbage of an import is collected where there is much.
  'cli/import.ts': /^process\.memoryUsage$/,
  'sandbox/worker.ts': /^process\.platform$/,
  // Metrics count processes by it.
  'monitoring/observe.ts': /^process\.versions$/,
  // A build of the interpreter is of use to the same Node.js only.
  'sandbox/artefact.ts': /^process\.version$/,
  // It is the entry of a process of its own, which talks to the one that began it.
  'outside/files/film-process.ts': /^process\.(on|send|argv|disconnect)$/,
}
