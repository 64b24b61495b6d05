-- Databases of earlier versions have these tables from their baseline, so nothing is made twice.

-- Sites that are built from a brief or a repository.
create table if not exists sites (
  account_id text not null,
  id text not null,
  creator text not null default '',
  prompt text,
  github_repo_full_name text,
  name text not null,
  subdomain text,
  domain text,
  domain_verified integer not null,
  verified_domain text,
  domain_checks integer not null,
  access_mode text not null,
  is_live integer not null,
  show_referral_badge integer not null,
  build_status text not null,
  reported_url text,
  build_task text,
  current_build text,
  previous_build text,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);
-- A name in an address belongs to one site of all accounts.
create unique index if not exists sites_subdomain on sites (subdomain);
create unique index if not exists sites_domain on sites (verified_domain);
create index if not exists sites_build_task on sites (account_id, build_task);

-- Each build of a served site has its own files; the site shows those of one build.
create table if not exists site_builds (
  account_id text not null,
  id text not null,
  site text not null,
  task_run text not null,
  builder text not null,
  status text not null,
  problems text not null,
  files_count integer not null,
  bytes integer not null,
  store text,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);
create index if not exists site_builds_of_site on site_builds (account_id, site, id);
create index if not exists site_builds_of_run on site_builds (account_id, task_run);

create table if not exists site_files (
  account_id text not null,
  build text not null,
  path text not null,
  id text not null,
  content_type text not null,
  size integer not null,
  sha256 text not null,
  primary key (account_id, build, path)
);
