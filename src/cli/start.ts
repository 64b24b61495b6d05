import { rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createAdaptorServer, type ServerType } from '@hono/node-server'
import { pino } from 'pino'
import { type App, createApp } from '../app.ts'
import { readSettings, SettingError, type Settings } from '../config.ts'
import type { HttpHandler } from '../http/http.ts'
import { greeting } from './greeting.ts'
import type { Terminal } from './terminal.ts'

/** In the data directory, while a server runs: its address, for the commands beside it. */
export const ADDRESS_FILE = 'shopwright.url'

/** Starts the server and resolves when it has stopped. */
export async function start(terminal: Terminal): Promise<number> {
  const settings = readSettings(terminal.environment)
  const { server, port, serve } = await listen(settings)
  const publicUrl = settings.PUBLIC_URL ?? `http://localhost:${port}`
  const app = await createApp(settings, publicUrl, pino({ level: settings.LOG_LEVEL })).catch(
    async (error: unknown) => {
      await stopServer(server)
      throw error
    },
  )
  serve(app)
  const addressFile = join(settings.DATA_DIR, ADDRESS_FILE)
  await writeFile(addressFile, `http://${reachable(settings.HOST)}:${port}`)
  for (const line of greeting(publicUrl, app.firstAccount, settings)) terminal.print(line)
  await new Promise<void>((resolve) => terminal.onStop(resolve))
  await stopServer(server)
  await app.close()
  await rm(addressFile, { force: true })
  return 0
}

interface Listening {
  server: ServerType
  port: number
  /** Hands requests to the app; those that came before wait for it. */
  serve(app: App): void
}

/** Claims the port before anything is opened, so that a wrong one costs nothing. Throws SettingError. */
async function listen({ HOST, PORT }: Settings): Promise<Listening> {
  let ready: (app: App) => void
  const started = new Promise<App>((resolve) => (ready = resolve))
  let handle: HttpHandler = async (request, environment) => (await started).fetch(request, environment)
  const server = createAdaptorServer({
    fetch: (request, environment) => handle(request, environment as never),
    overrideGlobalObjects: false,
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(cannotListen(error, HOST, PORT)))
    server.listen(PORT, HOST, resolve)
  })
  return {
    server,
    port: (server.address() as AddressInfo).port,
    serve: (app) => {
      handle = app.fetch
      ready(app)
    },
  }
}

function cannotListen(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE')
    return new SettingError(`Port ${port} is in use by another program: stop that one, or set PORT to another port.`)
  if (error.code === 'EACCES')
    return new SettingError(`Port ${port} is reserved for the system: set PORT to one above 1023.`)
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new SettingError(`HOST ${host} is not an address of this machine.`)
  return error
}

/** Ends idle connections at once and lets requests under way finish. */
function stopServer(server: ServerType): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    if ('closeIdleConnections' in server) server.closeIdleConnections()
  })
}

function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
