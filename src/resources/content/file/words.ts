import { idsFound } from '../../../records/search/by-words.ts'
import { type Meant, words } from '../../../records/starting.ts'
import { File } from './file.ts'

const MOST = 500

export const FILE_WORDS = words(
  File,
  'An id, or beginnings of words of the file name or title',
  async (context, given): Promise<Meant[]> => {
    if (File.isId(given)) return [['id', [given]]]
    return [['id', await idsFound(context, File, given, MOST)]]
  },
)
