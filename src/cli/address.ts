import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Settings } from '../settings/config.ts'

/** The file in the data directory with the URL of the running server, for other commands. A server that stops removes it. */
export const ADDRESS_FILE = 'shopwright.url'

type ServerSettings = Pick<Settings, 'DATA_DIR' | 'PORT' | 'PUBLIC_URL'>

/** Returns the URL of the running server for requests from this machine; on PORT if no server is known. */
export async function localServer({ DATA_DIR, PORT }: ServerSettings): Promise<string> {
  return (await runningServer(DATA_DIR)) ?? `http://127.0.0.1:${PORT}`
}

export async function publicUrlOf({ DATA_DIR, PORT, PUBLIC_URL }: ServerSettings): Promise<string> {
  if (PUBLIC_URL !== undefined) return PUBLIC_URL
  const running = await runningServer(DATA_DIR)
  return `http://localhost:${/:(\d+)$/.exec(running ?? '')?.[1] ?? PORT}`
}

async function runningServer(directory: string): Promise<string | null> {
  return readFile(join(directory, ADDRESS_FILE), 'utf8').catch(() => null)
}
