/** Whether a letter is wanted: by an account for its buyers, where `user_id` is empty, or by a person of the team. */
interface LetterChoiceRow {
  account_id: string
  user_id: string
  letter: string
  wanted: number
}

/** What the team of an account is written about next. */
interface LetterTurnRow {
  account_id: string
  letter: string
  /** The job that writes; null when none is planned. */
  job: string | null
  /** From when on things are told of. */
  since: string
  last_at: string | null
}

/** What an e-mail said. */
interface EmailBodyRow {
  account_id: string
  id: string
  /** JSON, sealed. */
  sealed: string
  created_at: string
}

export interface LetterTables {
  letter_choices: LetterChoiceRow
  letter_turns: LetterTurnRow
  email_bodies: EmailBodyRow
}
