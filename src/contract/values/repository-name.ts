/**
 * A GitHub repository as owner/name. An owner has up to 39 letters, digits and single inner hyphens. A name has up to 100 letters,
 * digits, dots, hyphens and underscores, is not `.` or `..`, and does not end with `.git`.
 */
export const REPOSITORY_NAME =
  /^(?=[^/]{1,39}\/)[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*\/(?!\.{1,2}$)(?![^/]*\.[Gg][Ii][Tt]$)[A-Za-z0-9._-]{1,100}$/
