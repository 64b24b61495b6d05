import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Settings } from '../settings/config.ts'

/** The file in the data directory that holds a running server's address for other commands. The server removes it when it stops. */
export const ADDRESS_FILE = 'shopwright.url'

type ServerSettings = Pick<Settings, 'DATA_DIR' | 'PORT' | 'PUBLIC_URL'>

/** Returns the address at which this machine reaches the running server, or PORT on 127.0.0.1 when none is known. */
export async function localServer({ DATA_DIR, PORT }: ServerSettings): Promise<string> {
  return (await runningServer(DATA_DIR)) ?? `http://127.0.0.1:${PORT}`
}

/** Returns PUBLIC_URL, or else the server's address on this machine. */
export async function publicUrlOf({ DATA_DIR, PORT, PUBLIC_URL }: ServerSettings): Promise<string> {
  if (PUBLIC_URL !== undefined) return PUBLIC_URL
  const running = await runningServer(DATA_DIR)
  return `http://localhost:${/:(\d+)$/.exec(running ?? '')?.[1] ?? PORT}`
}

async function runningServer(directory: string): Promise<string | null> {
  return readFile(join(directory, ADDRESS_FILE), 'utf8').catch(() => null)
}
