import { idsStarting, type Meant, words } from '../../../records/starting.ts'
import { File } from './file.ts'

const MOST = 500

/** What people have in hand of a file. */
export const FILE_WORDS = words(
  File,
  'An id, or the start of the file name or title',
  async (context, given): Promise<Meant[]> => {
    if (File.isId(given)) return [['id', [given]]]
    const columns = ['filename', 'title']
    return [['id', await idsStarting(context, { table: 'files', columns, words: given, most: MOST })]]
  },
)
