import { z } from 'zod'

export const ENTRIES = {
  database: 'shopwright.db',
  key: 'secret.key',
  files: 'files',
  manifest: 'manifest.json',
} as const

/** The description of an archive. It is the last entry, so an archive without it is incomplete. */
export const Manifest = z.object({
  format: z.literal(1),
  made_at: z.string(),
  engine: z.enum(['sqlite', 'postgres']),
  /** The migrations that were applied to the database in the archive; empty if the archive has no database. */
  migrations: z.array(z.string()),
  has_key: z.boolean(),
  files: z.int(),
})

export type Manifest = z.infer<typeof Manifest>

/** Thrown for a backup that cannot be made or used. The message gives the reason and the steps to take. */
export class BackupError extends Error {}
