import { z } from 'zod'
import { integer, structure, timestamp } from '../../../contract/declarations/kinds.ts'
import { answerNoun } from '../../../contract/declarations/noun.ts'

export const StorageUse = answerNoun('storage_use', {
  group: 'Account',
  area: 'account',
  description: 'How much storage the account’s records use, and their limit. Files are counted separately.',
  fields: {
    limit_bytes: integer('Limit in bytes', { min: 0, example: 5_000_000_000 }),
    outsider_bytes: integer('Bytes above which input from outside is refused', {
      min: 0,
      example: 4_000_000_000,
    }),
    used_bytes: integer('Bytes used when last measured', { min: 0, example: 1_200_000 }),
    measured_at: timestamp('When it was measured').nullable('the first measurement is in progress'),
    kinds: structure(
      'array',
      z.array(z.object({ kind: z.string(), bytes: z.int(), rows: z.int() })),
      'Usage by kind, largest first',
      [{ kind: 'form_submissions', bytes: 1_200_000, rows: 300 }],
    ),
  },
})
