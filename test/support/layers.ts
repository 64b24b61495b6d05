/** The types of all tables, derived from the nouns. It contains only types, so that lower layers may import it. */
export const TABLES = 'resources/tables.ts'
/** The types of responses and requests, derived from all resources. They contain only types, for the pages. */
export const SHOWN = ['resources/nouns.ts', 'resources/operation-types.ts']

/** The kinds of providers: folders with an interface, a registry and a folder for each provider. */
export const KINDS = ['dns', 'files', 'mail', 'models', 'payments', 'runners', 'sources']

/** The modules that an adapter may import in addition to its own folder. */
const FOR_ADAPTERS = [
  ...['contract', 'format', 'concurrency', 'runtime/make-directory.ts'],
  ...['providers/web/client.ts', 'providers/api-versions.ts'],
]
const ADAPTERS = Object.fromEntries(KINDS.map((kind) => [`providers/${kind}`, FOR_ADAPTERS]))

/** The interfaces of the outside world for rules and jobs. */
const INTERFACES = [
  ...KINDS.map((kind) => `providers/${kind}/provider.ts`),
  'providers/payments/connector.ts',
  'providers/payments/payments.ts',
  'providers/payments/disputes.ts',
  'providers/web/client.ts',
  'events/sender.ts',
  'quota/room.ts',
]
const REGISTRIES = [...KINDS, 'web'].map((kind) => `providers/${kind}/registry.ts`)
/** The modules that the webhook rules share with webhook deliveries. */
const DELIVERIES = ['message.ts', 'headers.ts', 'signing.ts', 'cancel.ts', 'task-triggers.ts'].map(
  (file) => `events/${file}`,
)

/** The modules that every part may import: general helpers and the version. */
export const EVERYWHERE = [
  'runtime/errors.ts',
  'runtime/lazy.ts',
  'runtime/bounded-map.ts',
  'runtime/package-file.ts',
  'concurrency/race-abort.ts',
  'runtime/version.ts',
]

/** The modules that each part of `src` may import from other parts. All other imports are forbidden. */
export const ALLOWED: Record<string, string[]> = {
  // Formatting and parsing of texts for people.
  format: [],
  'contract/values': ['format'],
  'contract/declarations': ['format', 'contract/values'],
  'contract/documents': ['format', 'contract/values', 'contract/declarations'],
  'contract/requests': ['format', 'contract/values', 'contract/declarations', 'contract/documents'],
  // The host and the guest limit JSON in the same way.
  sandbox: ['format', 'runtime/collect-garbage.ts', 'contract/values'],
  // Queues, locks and their order.
  concurrency: [],
  database: ['concurrency'],
  'providers/api-versions.ts': [],
  ...ADAPTERS,
  // Plain-language prompts are sent to a model.
  'providers/runners': [...FOR_ADAPTERS, 'providers/models/provider.ts'],
  'providers/web': ['format'],
  // The storage use of accounts and its limits.
  quota: ['contract', 'format', 'database', TABLES],
  // Monitoring: log records, metrics and queue lengths.
  monitoring: ['database', 'pipeline', 'records', 'sandbox', 'providers/mail/provider.ts', TABLES],
  // The clocks of test accounts.
  clock: ['contract', 'format', 'database', TABLES],
  records: ['clock', 'contract', 'format', 'database', TABLES, ...INTERFACES],
  resources: ['contract', 'format', 'database', 'records', 'clock', ...INTERFACES, ...DELIVERIES],
  events: ['contract', 'format', 'database', 'monitoring/records.ts', 'records', TABLES, ...INTERFACES],
  // Authentication and rights. Sign-in uses the rules of users and invitations. Resources do not depend on it.
  access: [
    'runtime/make-directory.ts',
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
    'resources/sales',
    'resources/audience',
    'resources/automation',
    'resources/content',
    TABLES,
  ],
  // Checkout and form pages call the rules of sales and submissions; sandbox pages use the sandbox providers.
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
  runtime: [],
  'settings/forms.ts': ['contract/values'],
  'settings/payments.ts': ['settings/forms.ts'],
  'settings/values.ts': [],
  'settings/warnings.ts': ['settings/config.ts', 'settings/values.ts', 'contract/values'],
  'settings/config.ts': [
    'contract/values',
    'settings/forms.ts',
    'settings/values.ts',
    'feature-settings.ts',
    'settings/payments.ts',
  ],
  'settings/documented.ts': ['settings/config.ts'],
  'services.ts': ['settings/config.ts', 'access', 'records', 'events', ...REGISTRIES, ...INTERFACES],
  // The composition root, which opens everything in order.
  app: [
    'runtime/make-directory.ts',
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
    'pages/documentation/skill.ts',
    'http',
    'services.ts',
    'settings/documented.ts',
    'quota',
    'assembly.ts',
    'migrations.ts',
  ],
  'app.ts': ['app', 'assembly.ts', 'settings/config.ts', 'http', 'jobs'],
  // The core together with features.
  'assembly.ts': ['feature.ts', 'features.ts', 'integrity/references.ts', 'records', 'resources'],
  'feature.ts': [
    'database',
    'demo',
    'http',
    'integrity',
    'jobs',
    'monitoring',
    'records',
    'resources',
    'services.ts',
    TABLES,
  ],
  'feature-settings.ts': ['contract/values'],
  'feature-commands.ts': ['cli/command.ts'],
  'features.ts': ['feature.ts'],
  'migrations.ts': ['database'],
  backup: ['database', 'format/sizes.ts'],
  integrity: ['format', 'database', TABLES],
  cli: [
    'backup',
    'feature-commands.ts',
    'integrity',
    'settings/warnings.ts',
    'runtime/make-directory.ts',
    'runtime/collect-garbage.ts',
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
    'assembly.ts',
    'feature-commands.ts',
    'migrations.ts',
  ],
  'main.ts': ['cli'],
}

/** The modules outside of a feature that each of its parts may import; the empty name is that of the files next to its manifest. */
export const ALLOWED_IN_FEATURES: Record<string, string[]> = {
  resources: [...ALLOWED.resources!, 'resources'],
  providers: [...FOR_ADAPTERS, 'providers/dns/provider.ts', 'providers/models/provider.ts'],
  pages: [...ALLOWED.pages!, 'pages'],
  cli: [...ALLOWED.cli!, 'cli'],
  // Imports: the formats of files, and the importers of their rows.
  formats: ['contract', 'format', 'resources'],
  importers: ['contract', 'database', 'records', 'resources'],
  '': [
    'cli/command.ts',
    'feature.ts',
    'contract',
    'format',
    'database',
    'demo',
    'monitoring/metrics.ts',
    'pages/dashboard/kit/visit.ts',
    'records',
    'resources',
    'settings/forms.ts',
    TABLES,
  ],
}
/** The parts of a feature that each of its other parts may import. */
export const WITHIN_FEATURES: Record<string, string[]> = {
  providers: [],
  resources: ['providers/provider.ts', 'providers/limits.ts'],
  pages: ['providers/provider.ts', 'providers/limits.ts', 'resources'],
  formats: [],
  importers: ['formats'],
  cli: ['formats', 'importers', 'resources'],
}
/** The files of the core that know features: the list of them, of their settings and of their commands. The others import types alone. */
export const KNOW_FEATURES = ['features.ts', 'feature-settings.ts', 'feature-commands.ts']
export const KNOW_TYPES_OF_FEATURES = ['records/services.ts', 'resources/nouns.ts', TABLES]

/** The parts that open the sandbox themselves; the others use its `api.ts`. */
export const OPENS_SANDBOX = ['app/mcp.ts']

/** The modules of `database` that every part may import: the interface, and helpers of rules and queries on both engines. */
export const OPEN_DATABASE = [
  'database.ts',
  'quiet-copy.ts',
  'moment.ts',
  'account-tables.ts',
  'unique.ts',
  'compile-once.ts',
  'row-cache.ts',
  'json-entries.ts',
  'system-tables.ts',
  'written.ts',
  'within.ts',
].map((file) => `database/${file}`)
export const OPENS_DATABASE = [
  'app/foundation.ts',
  'cli/with-database.ts',
  'migrations.ts',
  'cli/export.ts',
  'cli/verify.ts',
  'cli/restore.ts',
  'backup/make.ts',
  'backup/restore.ts',
]

/** The scope of a program implements the database interface, so it uses a type of the query builder. */
export const ENGINE_TYPES = ['mcp/program/scope.ts']

/** The files that may use `process`, and the members that they may use. */
export const TOUCHES_PROCESS: Record<string, RegExp> = {
  'main.ts': /.*/,
  // The pid for the error message of a second process on the same directory.
  'database/sqlite/lock.ts': /^process\.pid$/,
  // The user for the error message of a start without write permission.
  'database/sqlite/start.ts': /^process\.geteuid$/,
  'database/postgres/transaction.ts': /^process\.nextTick$/,
  // An import triggers garbage collection when it uses much memory.
  'features/importing/cli/import.ts': /^process\.memoryUsage$/,
  'sandbox/worker.ts': /^process\.platform$/,
  // Metrics are labelled with the version.
  'monitoring/observe.ts': /^process\.versions$/,
  // A cached build of the interpreter works only with the same Node.js version.
  'sandbox/artefact.ts': /^process\.version$/,
  // It is the entry point of a child process, which communicates with its parent.
  'providers/files/film-process.ts': /^process\.(on|send|argv|disconnect)$/,
}
