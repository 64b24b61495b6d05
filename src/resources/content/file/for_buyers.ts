import type { Context } from '../../../records/context.ts'
import type { FileRow } from './file.ts'
import { isHeldForBuyers, isShown } from './uses.ts'

/** Whether a file is for buyers alone: an experience for buyers holds it, and the shop shows it nowhere else. */
export async function isForBuyers(account: Pick<Context, 'db' | 'accountId'>, file: FileRow): Promise<boolean> {
  if (!file.in_experience) return false
  return (await isHeldForBuyers(account, file.id, isPicture(file))) && !(await isShown(account, file.id))
}

export function isPicture({ detected_type }: Pick<FileRow, 'detected_type'>): boolean {
  return detected_type?.startsWith('image/') ?? false
}
