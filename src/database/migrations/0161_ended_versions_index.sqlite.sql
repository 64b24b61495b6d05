create index if not exists social_accounts_by_ended_version on social_accounts (platform, ended_version) where ended_version is not null;
