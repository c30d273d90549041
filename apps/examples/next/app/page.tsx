export default function Page() {
  return <a href="/mail">The mailbox</a>;
}
