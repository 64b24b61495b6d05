// The app view of Bluesky on what one server of the AT Protocol publishes, for as long as its parent runs. Prints its address.
import { createServer } from 'node:net'
import { BskyAppView, Database, DataPlaneServer, RepoSubscription, ServerConfig } from '@atproto/bsky'
import { Secp256k1Keypair } from '@atproto/crypto'
import { IdResolver, MemoryCache } from '@atproto/identity'

const { port, did, plcUrl, pdsUrl, databaseUrl } = JSON.parse(process.argv[2])
const url = `http://localhost:${port}`
const dataPort = await freePort()
Object.assign(process.env, {
  NODE_ENV: 'development',
  BSKY_SERVER_DID: did,
  BSKY_PORT: String(port),
  BSKY_PUBLIC_URL: url,
  BSKY_DID_PLC_URL: plcUrl,
  BSKY_DATAPLANE_URLS: `http://localhost:${dataPort}`,
  BSKY_DATAPLANE_HTTP_VERSION: '1.1',
  // Nothing answers there: it takes mutes and the like, which no test makes.
  BSKY_BSYNC_URL: 'http://localhost:9',
  BSKY_BSYNC_HTTP_VERSION: '1.1',
  BSKY_ADMIN_PASSWORDS: 'admin-password',
  MOD_SERVICE_DID: 'did:web:moderation.test',
})
const database = new Database({ url: databaseUrl, schema: 'appview', poolSize: 5 })
await database.migrateToLatestOrThrow()
const idResolver = new IdResolver({ plcUrl, didCache: new MemoryCache(), fetch: globalThis.fetch })
idResolver.handle.resolve = didOfHandle
await DataPlaneServer.create(database, dataPort, plcUrl, globalThis.fetch)
await BskyAppView.create({ config: ServerConfig.readEnv(), signingKey: await Secp256k1Keypair.create() }).start()
await new RepoSubscription({ service: pdsUrl.replace('http', 'ws'), db: database, idResolver }).start()
process.stdout.write(`${url}\n`)
process.on('disconnect', () => process.exit(0))

/** Handles of the tests are in no name server. */
async function didOfHandle(handle) {
  const answer = await fetch(`${pdsUrl}/xrpc/com.atproto.identity.resolveHandle?${new URLSearchParams({ handle })}`)
  return answer.ok ? (await answer.json()).did : undefined
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}
