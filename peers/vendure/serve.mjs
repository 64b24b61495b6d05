// Vendure as its documentation sets it up for production: a server and a worker, each a process. On SQLite the server is its own worker,
// because two processes that write to the file get "database is locked". The options are JSON: what to run ("seed", "server" or "worker"), the
// port, the password, and the PostgreSQL database or the file of SQLite.
import { createRequire } from 'node:module'

const { bootstrap, bootstrapWorker, configureDefaultOrderProcess, dummyPaymentHandler, ...core } = createRequire(
  import.meta.url,
)('@vendure/core')
const { DefaultJobQueuePlugin, DefaultLogger, DefaultSchedulerPlugin, DefaultSearchPlugin, JobQueueService, LogLevel } = core
const { run, port, password, url, file } = JSON.parse(process.argv[2])

const config = {
  logger: new DefaultLogger({ level: LogLevel.Warn }),
  apiOptions: {
    hostname: '127.0.0.1',
    port,
    adminApiPath: 'admin-api',
    shopApiPath: 'shop-api',
    cors: { origin: ['http://localhost:8080'], credentials: true },
  },
  authOptions: { tokenMethod: ['bearer'], superadminCredentials: { identifier: 'superadmin', password } },
  dbConnectionOptions: {
    ...(url ? { type: 'postgres', url } : { type: 'better-sqlite3', database: file, enableWAL: true }),
    synchronize: run === 'seed',
    logging: false,
  },
  // Nothing is shipped.
  orderOptions: { process: [configureDefaultOrderProcess({ arrangingPaymentRequiresShipping: false })] },
  paymentOptions: { paymentMethodHandlers: [dummyPaymentHandler] },
  plugins: [
    DefaultJobQueuePlugin.init({ useDatabaseForBuffer: true }),
    DefaultSearchPlugin.init({ bufferUpdates: false, indexStockStatus: true }),
    DefaultSchedulerPlugin.init(),
  ],
}

const SHOP = {
  defaultLanguage: 'en',
  defaultZone: 'Everywhere',
  countries: [{ name: 'United States', code: 'US', zone: 'Everywhere' }],
  taxRates: [{ name: 'No tax', percentage: 0 }],
  shippingMethods: [],
  paymentMethods: [
    {
      name: 'Card',
      handler: { code: 'dummy-payment-handler', arguments: [{ name: 'automaticSettle', value: 'true' }] },
    },
  ],
  collections: [],
}

if (run === 'seed') {
  const { populate } = createRequire(import.meta.url)('@vendure/core/cli')
  const app = await populate(() => bootstrap(config), SHOP)
  await app.close()
  process.exit(0)
}
if (run === 'server') {
  const app = await bootstrap(config)
  if (!url) await app.get(JobQueueService).start()
} else await (await bootstrapWorker(config)).startJobQueue()
console.log(`${run} on port ${port}`)
