import { ApiError, missingResource } from '../../../contract/declarations/errors.ts'
import { mayDo } from '../../../contract/declarations/role-rights.ts'
import type { Context } from '../../../records/context.ts'
import { findRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { personOf } from '../member/find.ts'
import { SavedView, type SavedViewRow } from './saved_view.ts'

/** Tabs of one list that anybody looks through. */
const MOST_SHOWN = 40

/**
 * The views of a list that the person sees: their own, and those that are shared, in the order in which they were saved. Where there
 * are too many, those of others give way.
 */
export async function viewsOf(context: Context, list: string): Promise<object[]> {
  const { userId } = personOf(context.caller)
  const rows = await rowsOf(context, 'saved_views')
    .selectAll()
    .where('list', '=', list)
    .where(({ eb, or }) => or([eb('user_id', '=', userId), eb('shared', '=', 1)]))
    .orderBy(({ eb }) => eb('user_id', '=', userId), 'desc')
    .orderBy('id')
    .limit(MOST_SHOWN)
    .execute()
  const inOrder = rows.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  return inOrder.map((row) => ({ ...row, shared: row.shared === 1, own: row.user_id === userId }))
}

/** A view that the person may change: one of their own, or, as an admin, a shared one. Those of others that are not shared are a 404. */
export async function requireOwnView(context: Context, id: string): Promise<SavedViewRow> {
  const { userId } = personOf(context.caller)
  const row = await findRow(context, SavedView, id)
  if (!row || (row.user_id !== userId && !row.shared)) throw missingResource('saved_view')
  if (row.user_id !== userId && !mayDo(context.caller, 'people.access'))
    throw new ApiError('permission_denied', 'Only the person who saved the view, or an admin, can change it.')
  return row
}
