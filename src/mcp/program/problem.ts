/** Why a program cannot be run as it came. */
export interface ProgramProblem {
  message: string
  line: number | null
  source: string | null
  hint: string | null
}
