import { z } from 'zod'
import { integer, structure, timestamp } from '../../../contract/kinds.ts'
import { answerNoun } from '../../../contract/noun.ts'

export const StorageUse = answerNoun('storage_use', {
  group: 'Account',
  description: 'What the records of the account take, and how much they may. Files count apart.',
  fields: {
    limit_bytes: integer('Bytes that they may take', { min: 0, example: 5_000_000_000 }),
    outsider_bytes: integer('Bytes from which on nothing more is taken from outside', {
      min: 0,
      example: 4_000_000_000,
    }),
    used_bytes: integer('Bytes that they took when they were measured', { min: 0, example: 1_200_000 }),
    measured_at: timestamp('When that was').nullable('they are being measured for the first time'),
    kinds: structure(
      'array',
      z.array(z.object({ kind: z.string(), bytes: z.int(), rows: z.int() })),
      'What takes them, the most first',
      [{ kind: 'form_submissions', bytes: 1_200_000, rows: 300 }],
    ),
  },
})
