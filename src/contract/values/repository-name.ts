/**
 * A repository at GitHub, as owner/name. Owners have letters, digits and single hyphens between them, 39 characters at most; names
 * have letters, digits, dots, hyphens and underscores, 100 at most, are neither `.` nor `..` and do not end with `.git`.
 */
export const REPOSITORY_NAME =
  /^(?=[^/]{1,39}\/)[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*\/(?!\.{1,2}$)(?![^/]*\.[Gg][Ii][Tt]$)[A-Za-z0-9._-]{1,100}$/
