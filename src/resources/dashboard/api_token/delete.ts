import type { Context } from '../../../records/context.ts'
import { deleteRow } from '../../../records/records.ts'
import { ApiToken } from './api_token.ts'
import { requireToken } from './own.ts'

/** Deletes a token that the caller may see; it stops working with the next request. */
export async function deleteApiToken(context: Context, id: string): Promise<void> {
  await deleteRow(context, ApiToken, await requireToken(context, id))
}
