import { t } from "../texts/text.ts";
import { currentAccount, signedInAccounts } from "../api/signed-in.ts";
import { Button } from "../ui/Button.tsx";
import { switchAccount } from "./session.ts";

/** The other accounts of this browser, which are still signed in although this one is not. */
export const SignedIn = () => {
  const others = signedInAccounts().filter((account) => account !== currentAccount());
  if (others.length === 0) return null;
  return (
    <ul className="ways" aria-label={t("Signed-in accounts")}>
      {others.map((account) => (
        <li key={account}>
          <Button onPress={() => void switchAccount(account)}>{t("Go to {account}", { account })}</Button>
        </li>
      ))}
    </ul>
  );
};
