import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Settings } from '../config.ts'

/** A file of the data directory, there while a server runs: its address, for the other commands. */
export const ADDRESS_FILE = 'shopwright.url'

type Place = Pick<Settings, 'DATA_DIR' | 'PORT' | 'PUBLIC_URL'>

/** Where the server of this data directory is reached from this machine. */
export async function localServer({ DATA_DIR, PORT }: Place): Promise<string> {
  return (await runningServer(DATA_DIR)) ?? `http://127.0.0.1:${PORT}`
}

/** Where people reach the service: as set, or the address on this machine. */
export async function publicUrlOf({ DATA_DIR, PORT, PUBLIC_URL }: Place): Promise<string> {
  if (PUBLIC_URL !== undefined) return PUBLIC_URL
  const running = await runningServer(DATA_DIR)
  return `http://localhost:${/:(\d+)$/.exec(running ?? '')?.[1] ?? PORT}`
}

async function runningServer(directory: string): Promise<string | null> {
  return readFile(join(directory, ADDRESS_FILE), 'utf8').catch(() => null)
}
