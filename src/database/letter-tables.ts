/** Whether a letter is sent: to the buyers of the account if `user_id` is empty, otherwise to that member of the team. */
interface LetterChoiceRow {
  account_id: string
  user_id: string
  letter: string
  wanted: number
}

/** The next letter of one kind to the team of an account. */
interface LetterTurnRow {
  account_id: string
  letter: string
  /** The job that writes the letter; null if none is scheduled. */
  job: string | null
  /** The letter reports the events since this time. */
  since: string
  last_at: string | null
}

/** The content of an e-mail. */
interface EmailBodyRow {
  account_id: string
  id: string
  /** JSON, encrypted. */
  sealed: string
  created_at: string
}

export interface LetterTables {
  letter_choices: LetterChoiceRow
  letter_turns: LetterTurnRow
  email_bodies: EmailBodyRow
}
