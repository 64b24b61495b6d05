// The reference server with a directory of its own, for as long as its parent runs. Prints its address and that of the directory.
import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { oauthClientMetadataSchema } from '@atproto/oauth-types'
import { envToCfg, envToSecrets, PDS } from '@atproto/pds'
import plcServer from '@did-plc/server'

const { PlcServer, Database } = plcServer
const plc = await PlcServer.create({ db: Database.mock(), port: 0 }).start()
const directory = mkdtempSync(join(tmpdir(), 'pds-'))
const { port, appView } = JSON.parse(process.argv[2])
const env = {
  devMode: true,
  port,
  hostname: 'localhost',
  dataDirectory: directory,
  blobstoreDiskLocation: join(directory, 'blobs'),
  didPlcUrl: `http://localhost:${plc.address().port}`,
  jwtSecret: randomBytes(16).toString('hex'),
  adminPassword: 'admin-password',
  plcRotationKeyK256PrivateKeyHex: randomBytes(32).toString('hex'),
  serviceHandleDomains: ['.test'],
  inviteRequired: false,
  rateLimitsEnabled: false,
  ...(appView && { bskyAppViewUrl: appView.url, bskyAppViewDid: appView.did }),
}
const places = new Map()
const server = await PDS.create(envToCfg(env), envToSecrets(env))
readDocumentsHere(server.ctx.oauthProvider.clientManager)
await server.start()
process.stdout.write(`http://localhost:${port} ${env.didPlcUrl}\n`)
process.on('disconnect', () => process.exit(0))

/** What the parent wants: to say where a service is on this machine, or to know how many services an account lets in. */
process.on('message', async ({ origin, url, grantsOf }) => {
  if (origin) places.set(origin, url)
  if (grantsOf) process.send((await server.ctx.oauthProvider.tokenManager.listAccountTokens(grantsOf)).length)
})

/** Services at https addresses run on this machine too. What they publish is checked like any other's. */
function readDocumentsHere(clients) {
  clients.getDiscoverableClientMetadata = async (id) => {
    const { origin, pathname } = new URL(id)
    const answer = await fetch(places.get(origin) + pathname)
    if (!answer.ok || !answer.headers.get('content-type').startsWith('application/json'))
      throw new Error(`${id} was answered with ${answer.status}`)
    return clients.validateClientMetadata(id, oauthClientMetadataSchema.parse(await answer.json()))
  }
}
