-- Sites that are built from a brief or a repository.
create table sites (
  account_id text not null,
  id text not null,
  prompt text,
  github_repo_full_name text,
  name text not null,
  subdomain text,
  domain text,
  domain_verified integer not null,
  -- The domain once it is verified.
  verified_domain text,
  domain_checks integer not null,
  access_mode text not null,
  is_live integer not null,
  show_referral_badge integer not null,
  build_status text not null,
  app_url text,
  build_task text,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);

-- Names of addresses belong to one site over all accounts.
create unique index sites_subdomain on sites (subdomain);
create unique index sites_domain on sites (verified_domain);
create index sites_build_task on sites (account_id, build_task);
