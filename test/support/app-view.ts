import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { freshPostgresUrl, testServerUrl } from '../database/engines.ts'
import { HAS_PDS, type Pds, startPds } from './pds.ts'
import { startPeer } from './peer.ts'
import { freePort } from './postgres-server.mjs'

const at = (path: string) => fileURLToPath(new URL(`../../peers/appview/${path}`, import.meta.url))
const DID = 'did:web:appview.test'

/** Whether the app view of Bluesky can be started: `peers/install appview`, and PostgreSQL. */
export const HAS_APP_VIEW =
  HAS_PDS && existsSync(at('node_modules/@atproto/bsky/package.json')) && testServerUrl !== undefined

/** Starts the reference server with the app view of Bluesky, which indexes everything published on it. */
export async function startNetwork(): Promise<Pds> {
  const [port, appViewPort] = [await freePort(), await freePort()]
  const pds = await startPds({ port, appView: { url: `http://localhost:${appViewPort}`, did: DID } })
  const database = await freshPostgresUrl()
  const parts = { port: appViewPort, did: DID, plcUrl: pds.plcUrl, pdsUrl: pds.url, databaseUrl: database.url }
  const appView = await startPeer(at('serve.mjs'), parts)
  const close = async () => {
    await appView.close()
    await pds.close()
    await database.remove()
  }
  return { ...pds, close }
}
