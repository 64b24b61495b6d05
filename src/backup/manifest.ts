import { z } from 'zod'

/** The names of an archive's entries. */
export const ENTRIES = {
  database: 'shopwright.db',
  key: 'secret.key',
  files: 'files',
  manifest: 'manifest.json',
} as const

/** What an archive says of itself. It is the last entry: without it, the archive was cut off. */
export const Manifest = z.object({
  format: z.literal(1),
  made_at: z.string(),
  engine: z.enum(['sqlite', 'postgres']),
  /** Of the database in the archive; empty when there is none. */
  migrations: z.array(z.string()),
  has_key: z.boolean(),
  files: z.int(),
})

export type Manifest = z.infer<typeof Manifest>

/** A backup that cannot be made or used; the message says why and what to do. */
export class BackupError extends Error {
  override name = 'BackupError'
}
