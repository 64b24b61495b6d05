/**
 * A GitHub repository as owner/name. Owners have up to 39 letters, digits and single inner hyphens. Names have up to 100 letters,
 * digits, dots, hyphens and underscores, are not `.` or `..`, and do not end with `.git`.
 */
export const REPOSITORY_NAME =
  /^(?=[^/]{1,39}\/)[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*\/(?!\.{1,2}$)(?![^/]*\.[Gg][Ii][Tt]$)[A-Za-z0-9._-]{1,100}$/
