// The reference server with a directory of its own, for as long as its parent runs. Prints its address and that of the directory.
import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
await (await PDS.create(envToCfg(env), envToSecrets(env))).start()
process.stdout.write(`http://localhost:${port} ${env.didPlcUrl}\n`)
process.on('disconnect', () => process.exit(0))
