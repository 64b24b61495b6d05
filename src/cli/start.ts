import { rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type App, createApp, type Log } from '../app.ts'
import { type Listening, listen } from '../http/listen.ts'
import { collectWhenQuiet } from '../runtime/collect-garbage.ts'
import { makeDirectory } from '../runtime/make-directory.ts'
import { VERSION } from '../runtime/version.ts'
import { readSettings, type Settings } from '../settings/config.ts'
import { ADDRESS_FILE } from './address.ts'
import { firstStartLines, greeting, QUIET } from './greeting.ts'
import { openLog } from './log.ts'
import { readOptions, refuseWords } from './options.ts'
import type { Terminal } from './terminal.ts'

/** The file in the data directory with the secrets of a first start in production, until the operator deletes it. */
const FIRST_START_FILE = 'first-start.txt'

export const USAGE = `Starts the service, and creates its data on the first start. Settings are environment variables.

  npm start`

export async function run(terminal: Terminal): Promise<number> {
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
  // With PostgreSQL and SECRET_KEY, the data directory is not needed, so it may be missing or read-only.
  await writeFile(addressFile, `http://${reachableHost(settings.HOST)}:${listening.port}`).catch(() => {})
  await announce(terminal, app, settings, listening)
  // The start does not wait for the mail server, which may be restarting, because messages are retried.
  void warnOfMail(app, log)
  await asked
  await finish(app, listening, settings)
  await rm(addressFile, { force: true })
  return 0
}

/** Stops the server. For DRAIN_SECONDS, requests are still accepted, so that load balancers can notice. */
async function finish(app: App, listening: Listening, settings: Settings): Promise<void> {
  app.beginStop()
  await delay(settings.DRAIN_SECONDS * 1000)
  const endsAt = performance.now() + settings.STOP_SECONDS * 1000
  await listening.stop(settings.STOP_SECONDS * 1000)
  await app.close(Math.max(LEAST_GRACE_MS, endsAt - performance.now()))
}

/** The minimum time for jobs and webhook deliveries to finish, even if requests have used up STOP_SECONDS. */
const LEAST_GRACE_MS = 1_000

/** Returns a host that other commands can connect to, also if the server listens on all interfaces. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

/** Prints the greeting in development. In production, a log line without secrets replaces it, because others may read the log. */
async function announce(terminal: Terminal, app: App, settings: Settings, listening: Listening): Promise<void> {
  const { publicUrl, port } = listening
  if (settings.NODE_ENV !== 'production') return terminal.print(greeting(publicUrl, app, settings).join('\n'))
  const log = openLog(settings.LOG_LEVEL === 'silent' ? 'silent' : 'info')
  if (app.firstAccount) await keepSecrets(firstStartLines(publicUrl, app, settings), settings.DATA_DIR, log)
  if (app.isQuiet) log.warn({}, QUIET.join(' '))
  const mail = app.services.mail.providerFor({ test: false }).destination
  log.info({ version: VERSION, publicUrl, port, mail }, 'Shopwright is running')
}

async function warnOfMail({ services: { mail } }: App, log: Log): Promise<void> {
  const { destination } = mail.providerFor({ test: false })
  await mail
    .check()
    .catch((err) =>
      log.warn({ err }, `E-mails cannot be ${destination} now: check the setting and whether the server runs.`),
    )
}

async function keepSecrets(lines: string[], directory: string, log: Log): Promise<void> {
  const file = resolve(join(directory, FIRST_START_FILE))
  try {
    await makeDirectory(directory)
    await writeFile(file, lines.join('\n'), { flag: 'wx', mode: 0o600, flush: true })
    log.warn({ file }, 'This file has the first API token and a link for setting a password. Read it, then delete it.')
  } catch (err) {
    log.error(
      { err, file },
      'The first API token and password link could not be written to this file. Make others: npm run token -- create "My agent" and npm run account -- password-link.',
    )
  }
}
