/** The reason why a text is not a program that can run. */
export interface ProgramProblem {
  message: string
  line: number | null
  source: string | null
  hint: string | null
}
