import type { Database } from '../../database/database.ts'
import type { Tables } from '../../resources/tables.ts'

export interface PasskeySummary {
  id: string
  name: string | null
  created_at: string
  /** Whether the passkey is synced between the person's devices. */
  synced: boolean
}

/** Lists and edits existing passkeys. The sign-in library creates them and checks them at the sign-in. */
export class Passkeys {
  readonly #database: Database<Tables>

  constructor(database: Database<Tables>) {
    this.#database = database
  }

  async list(userId: string): Promise<PasskeySummary[]> {
    const rows = await this.#database.read
      .selectFrom('passkeys')
      .select(['id', 'name', 'created_at', 'backed_up'])
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .execute()
    return rows.map(({ backed_up, ...row }) => ({ ...row, synced: backed_up === 1 }))
  }

  async rename(userId: string, id: string, name: string): Promise<boolean> {
    const { numUpdatedRows } = await this.#database.transaction(({ db }) =>
      db
        .updateTable('passkeys')
        .set({ name })
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .executeTakeFirstOrThrow(),
    )
    return numUpdatedRows > 0n
  }

  async remove(userId: string, id: string): Promise<boolean> {
    const { numDeletedRows } = await this.#database.transaction(({ db }) =>
      db.deleteFrom('passkeys').where('user_id', '=', userId).where('id', '=', id).executeTakeFirstOrThrow(),
    )
    return numDeletedRows > 0n
  }
}
