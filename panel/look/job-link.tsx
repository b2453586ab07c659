import { Link } from 'wouter';

interface JobLinkProps {
  readonly id: string;
  readonly title: string | null | undefined;
}

/** Leads to the page of a job, by its title if it has one. */
export const JobLink = ({ id, title }: JobLinkProps) => (
  <Link href={`/jobs/${id}`}>
    <bdi>{title ?? id}</bdi>
  </Link>
);
