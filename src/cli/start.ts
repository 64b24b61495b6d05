import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type App, createApp } from '../app.ts'
import { readSettings, type Settings } from '../config.ts'
import { collectWhenQuiet } from '../garbage.ts'
import { type Listening, listen } from '../http/listen.ts'
import { ADDRESS_FILE } from './address.ts'
import { announce, warnOfMail } from './announce.ts'
import { openLog } from './log.ts'
import { readOptions, refuseWords } from './options.ts'
import type { Terminal } from './terminal.ts'

export const USAGE = `Starts the service, and creates its data on the first start. Settings are environment variables.

  npm start`

/** Starts the server and resolves when it has stopped. */
export async function start(terminal: Terminal): Promise<number> {
  refuseWords(readOptions(terminal.args, {}, USAGE).words, USAGE)
  const settings = readSettings(terminal.environment)
  const asked = new Promise<void>((resolve) => terminal.onStop(resolve))
  const listening = await listen(settings.HOST, settings.PORT, {
    publicUrl: settings.PUBLIC_URL,
    behindProxy: settings.TRUST_PROXY,
  })
  const { publicUrl } = listening
  const log = openLog(settings.LOG_LEVEL)
  const app = await createApp(settings, publicUrl, log).catch(async (error: unknown) => {
    await listening.stop()
    throw error
  })
  listening.serve(app.fetch)
  collectWhenQuiet()
  const addressFile = join(settings.DATA_DIR, ADDRESS_FILE)
  // With PostgreSQL and a key from outside nothing else needs the directory, so it may be missing or closed to writing.
  await writeFile(addressFile, `http://${reachable(settings.HOST)}:${listening.port}`).catch(() => {})
  await announce(terminal, app, settings, listening)
  // Nobody waits for it: mail servers restart, and messages are sent again.
  void warnOfMail(app, log)
  await asked
  await finish(app, listening, settings)
  await rm(addressFile, { force: true })
  return 0
}

/** Finishes what runs. Proxies are given time to notice that no more requests should come. */
async function finish(app: App, listening: Listening, settings: Settings): Promise<void> {
  app.beginStop()
  await delay(settings.DRAIN_SECONDS * 1000)
  const endsAt = performance.now() + settings.STOP_SECONDS * 1000
  await listening.stop(settings.STOP_SECONDS * 1000)
  await app.close(Math.max(LEAST_GRACE_MS, endsAt - performance.now()))
}

/** What jobs and deliveries get even when requests have used up all of the time. */
const LEAST_GRACE_MS = 1_000

/** The address to use on this machine for one that stands for all. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
