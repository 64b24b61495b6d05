import { integer, oneOf, servedAddress, text, timestamp } from '../../../contract/declarations/kinds.ts'
import { exampleId, noun, type Row, readOnly } from '../../../contract/declarations/noun.ts'

export const AccountExport = noun('account_export', {
  prefix: 'export',
  group: 'Account',
  area: 'ownership',
  description: 'An archive of everything that the account has: a ZIP file with JSON Lines for each kind of resource.',
  hidden: {
    store: text('Store that has its bytes').nullable(),
  },
  fields: readOnly({
    status: oneOf(
      ['pending', 'running', 'ready', 'failed', 'expired'],
      'pending: waiting; running: being written; ready: can be downloaded; failed: see error_message; expired: its bytes were removed',
    ),
    requested_by: text('Id of the person who requested it', { example: 'user_…' }),
    parts_done: integer('Kinds of resources written so far', { min: 0, example: 12 }),
    parts_total: integer('Total kinds of resources', { min: 0, example: 40 }),
    rows_done: integer('Resources written so far', { min: 0, example: 1_200 }),
    size: integer('Size of the archive', { min: 0, unit: 'bytes', example: 48_213 }).nullable('not ready'),
    error_message: text('Why it failed', { max: 500, example: null }).nullable('not failed'),
    ready_at: timestamp('When it was complete').nullable('not ready'),
    expires_at: timestamp('When the download expires').nullable('not ready'),
    download_url: servedAddress(
      'URL from which anyone can download the archive for an hour',
      `https://shop.example/exports/${exampleId('export')}`,
    ).nullable('in lists, and until it is ready'),
  }),
})

export type AccountExportRow = Row<typeof AccountExport>
