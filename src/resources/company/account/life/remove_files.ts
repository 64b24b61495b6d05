import type { Scope } from '../../../../database/database.ts'
import type { FileStore } from '../../../../outside/files/provider.ts'
import type { Tables } from '../../../tables.ts'

/**
 * Removes the bytes of deleted accounts from every store. To be called before `finishDeletions`, which forgets these accounts
 * after a day.
 */
export async function removeFilesOfDeleted(
  { read }: Pick<Scope<Tables>, 'read'>,
  stores: readonly Pick<FileStore, 'removeAccount'>[],
): Promise<void> {
  const deleted = await read.selectFrom('account_deletions').select('id').execute()
  for (const { id } of deleted) for (const store of stores) await store.removeAccount(id)
}
