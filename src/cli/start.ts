import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createApp } from '../app.ts'
import { readSettings } from '../config.ts'
import { collectGarbage } from '../garbage.ts'
import { listen } from '../http/listen.ts'
import { ADDRESS_FILE } from './address.ts'
import { greeting } from './greeting.ts'
import { openLog } from './log.ts'
import type { Terminal } from './terminal.ts'

/** Starts the server and resolves when it has stopped. */
export async function start(terminal: Terminal): Promise<number> {
  const settings = readSettings(terminal.environment)
  const asked = new Promise<void>((resolve) => terminal.onStop(resolve))
  const listening = await listen(settings.HOST, settings.PORT, {
    publicUrl: settings.PUBLIC_URL,
    behindProxy: settings.TRUST_PROXY,
  })
  const { publicUrl } = listening
  const app = await createApp(settings, publicUrl, openLog(settings.LOG_LEVEL)).catch(async (error: unknown) => {
    await listening.stop()
    throw error
  })
  collectGarbage() // No request waits for it yet.
  listening.serve(app.fetch)
  const addressFile = join(settings.DATA_DIR, ADDRESS_FILE)
  // With PostgreSQL and a key from outside nothing else needs the directory, so it may be missing or closed to writing.
  await writeFile(addressFile, `http://${reachable(settings.HOST)}:${listening.port}`).catch(() => {})
  terminal.print(greeting(publicUrl, app.firstAccount, settings, app.firstPasswordUrl).join('\n'))
  await asked
  await listening.stop()
  await app.close()
  await rm(addressFile, { force: true })
  return 0
}

/** The address to use on this machine for one that stands for all. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
