import { ApiError, invalid, missingResource } from '../../../contract/declarations/errors.ts'
import type { Changes, CreateInput } from '../../../contract/declarations/noun.ts'
import { mayDo, rolesNeeded } from '../../../contract/declarations/role-rights.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, deleteRow, findRow, insertRow } from '../../../records/records.ts'
import { deleteRowsOf, rowsOf, updateRowsOf } from '../../../records/rows-of.ts'
import { personOf } from '../member/find.ts'
import { SavedView, type SavedViewRow } from './saved-view.ts'

const MOST_TABS = 40

const MOST_PER_PERSON = 50
/** Everybody in the account sees shared views as tabs. */
const MOST_SHARED = 100
/** One person may not use up the account's limit on shared views. */
const MOST_SHARED_BY_ONE = 20

type ShownView = SavedViewRow & { own: boolean }

export async function saveView(context: Context, input: CreateInput<typeof SavedView>): Promise<ShownView> {
  const { userId } = personOf(context.caller)
  const { list, name, query, shared = false } = input
  await requireRoom(context, userId)
  if (shared) await requireMayShare(context, userId)
  const row = await insertRow(context, SavedView, { list, name, query, shared, user_id: userId })
  return { ...row, own: true }
}

export async function changeView(context: Context, id: string, changes: Changes<typeof SavedView>): Promise<ShownView> {
  const row = await requireOwnView(context, id)
  if (changes.shared === true) await requireMayShare(context, row.user_id, row)
  const changed = await changeRow(context, SavedView, row, changes)
  return { ...changed, own: isOwn(context, row) }
}

export async function deleteView(context: Context, id: string): Promise<ShownView> {
  const row = await requireOwnView(context, id)
  await deleteRow(context, SavedView, row)
  return { ...row, own: isOwn(context, row) }
}

/** Deletes the private views of a person who leaves the account. Their shared views stay without an owner. */
export async function endViewsOf(context: Context, userId: string): Promise<void> {
  await deleteRowsOf(context, 'saved_views').where('user_id', '=', userId).where('shared', '=', 0).execute()
  await updateRowsOf(context, 'saved_views').set({ user_id: '' }).where('user_id', '=', userId).execute()
}

function isOwn({ caller }: Context, { user_id }: SavedViewRow): boolean {
  return user_id === personOf(caller).userId
}

async function requireRoom(context: Context, userId: string): Promise<void> {
  const own = rowsOf(context, 'saved_views').select('id').where('user_id', '=', userId)
  if ((await own.limit(MOST_PER_PERSON).execute()).length >= MOST_PER_PERSON)
    throw invalid({ base: [`You have saved ${MOST_PER_PERSON} views, which is the most; delete one`] })
}

/** Throws unless the person may share a view. A view that is already shared does not count again. */
async function requireMayShare(context: Context, userId: string, current?: SavedViewRow): Promise<void> {
  if (!mayDo(context.caller, 'self.share'))
    throw new ApiError('permission_denied', `${rolesNeeded('self.share')}. Save the view for yourself instead.`)
  if (current?.shared) return
  const rows = await rowsOf(context, 'saved_views')
    .select('user_id')
    .where('shared', '=', 1)
    .limit(MOST_SHARED)
    .execute()
  if (rows.filter(({ user_id }) => user_id === userId).length >= MOST_SHARED_BY_ONE)
    throw invalid({ base: [`A person shares at most ${MOST_SHARED_BY_ONE} views; delete one`] })
  if (rows.length >= MOST_SHARED)
    throw invalid({ base: [`An account has at most ${MOST_SHARED} shared views; delete one`] })
}

/** Returns the caller's and shared views of a list, oldest first. Above MOST_TABS, views of others are left out first. */
export async function viewsOf(context: Context, list: string): Promise<ShownView[]> {
  const { userId } = personOf(context.caller)
  const rows = await rowsOf(context, 'saved_views')
    .selectAll()
    .where('list', '=', list)
    .where(({ eb, or }) => or([eb('user_id', '=', userId), eb('shared', '=', 1)]))
    .orderBy(({ eb }) => eb('user_id', '=', userId), 'desc')
    .orderBy('id')
    .limit(MOST_TABS)
    .execute()
  const inOrder = rows.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  return inOrder.map((row) => ({ ...row, shared: row.shared === 1, own: row.user_id === userId }))
}

/** Returns a view that the caller may change: an own one or, for admins, a shared one. Throws a 404 for private views of others. */
async function requireOwnView(context: Context, id: string): Promise<SavedViewRow> {
  const { userId } = personOf(context.caller)
  const row = await findRow(context, SavedView, id)
  if (!row || (row.user_id !== userId && !row.shared)) throw missingResource('saved_view')
  if (row.user_id !== userId && !mayDo(context.caller, 'people.access'))
    throw new ApiError('permission_denied', 'Only the person who saved the view, or an admin, can change it.')
  return row
}
